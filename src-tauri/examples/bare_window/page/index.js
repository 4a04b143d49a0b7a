// What a page needs for its first list: one command, and one element a row.

window.__TAURI_INTERNALS__.invoke("list_templates").then((rows) => {
  document.getElementById("rows").append(
    ...rows.map((row) => {
      const element = document.createElement("div");
      element.textContent = row;
      return element;
    }),
  );
});
