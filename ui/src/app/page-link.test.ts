import { expect, it } from "vitest";
import { pageLink } from "./page-link";

it.each([
  ["/templates/1234", undefined, "template-desk://templates/1234?workspace=acme"],
  ["/templates/a%20(b)", undefined, "template-desk://templates/a%20%28b%29?workspace=acme"],
  ["/sends/0198c0de", undefined, "template-desk://sends/0198c0de?workspace=acme"],
  ["/activity", "9f:1", "template-desk://events/9f%3A1?workspace=acme"],
  ["/activity", undefined, undefined],
  ["/templates", undefined, undefined],
  ["/templates/import", undefined, undefined],
  ["/templates/removed/1", undefined, undefined],
  ["/sends/new", undefined, undefined],
  ["/settings", undefined, undefined],
])("the link of %s is %s", (pathname, event, link) => {
  expect(pageLink(pathname, event, "acme")).toBe(link);
});
