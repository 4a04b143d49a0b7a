// arguments: role, name | null, element to search in | null. With a name: returns the first visible element of the role
// whose accessible name equals it, otherwise the first whose name starts with it. Without a name: returns the names of
// all visible elements of the role.
const [role, wanted, within] = arguments;
const NATIVE = {
  button: "button, summary, input[type=submit], input[type=button]",
  textbox: "textarea, input:not([type]), input[type=text], input[type=url], input[type=tel], input[type=email], input[type=password], input[type=search]",
  searchbox: "input[type=search]",
  link: "a[href]",
  checkbox: "input[type=checkbox]",
  radio: "input[type=radio]",
  heading: "h1, h2, h3, h4, h5, h6",
  navigation: "nav",
  dialog: "dialog[open]",
  list: "ul, ol",
  listitem: "li",
  row: "tr",
  img: "img",
  option: "option",
  combobox: "select",
  table: "table",
  spinbutton: "input[type=number]",
  article: "article",
  region: "section[aria-label], section[aria-labelledby]",
  main: "main",
};
const selector = [`[role="${role}"]`, NATIVE[role]].filter(Boolean).join(", ");
const normalise = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const byIds = (ids) => normalise(ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
const nameOf = (element) => {
  if (element.getAttribute("aria-labelledby")) {
    const name = byIds(element.getAttribute("aria-labelledby"));
    if (name) return name;
  }
  if (element.getAttribute("aria-label")) return normalise(element.getAttribute("aria-label"));
  if (element.labels?.length) return normalise([...element.labels].map((label) => label.textContent).join(" "));
  if (element.matches("img")) return normalise(element.alt);
  if (!element.matches("input, textarea, select")) {
    const text = normalise(element.textContent);
    if (text) return text;
  }
  return normalise(element.getAttribute("title") ?? element.getAttribute("placeholder") ?? element.value);
};
const visible = (element) => {
  if (element.closest("[aria-hidden=true], [inert]")) return false;
  const explicit = element.getAttribute("role");
  if (explicit && explicit !== role) return false;
  const style = getComputedStyle(element);
  if (style.visibility === "hidden" || style.display === "none") return false;
  const box = element.getBoundingClientRect();
  // Styled checkboxes and radio buttons have no size; their labels show them.
  return (box.width > 0 && box.height > 0) || element.matches("input[type=checkbox], input[type=radio]");
};
const found = [...(within ?? document).querySelectorAll(selector)].filter(visible).map((element) => [element, nameOf(element)]);
if (wanted === null) return found.map(([, name]) => name);
const same = (name) => name.replace(/\s*\*$/, "") === wanted;
const hit = found.find(([, name]) => same(name)) ?? found.find(([, name]) => name.startsWith(wanted));
return hit ? hit[0] : null;
