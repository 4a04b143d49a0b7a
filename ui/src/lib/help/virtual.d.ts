declare module "virtual:help/*" {
  const pages: import("./tree").HelpPage[];
  export default pages;
}
