// Writes the software bill of materials of a release (CycloneDX 1.5) to artifacts/sbom.cdx.json: the crates that
// template-desk and tdesk link for a platform, and the packages that the UI ships.
//
//   node packaging/sbom.mjs [TARGET]   TARGET: a Rust target triple; without it, this machine's
//
// Only Cargo.lock and package-lock.json decide the content. The same lock files give the same bytes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });

const target = process.argv[2] ?? /^host: (.+)$/m.exec(run("rustc", "-vV"))[1];
const features = ["--features", "template-desk/custom-protocol"];
const metadata = JSON.parse(
  run("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target, ...features),
);

/** SHA-256 of each crate of the registry, by name and version. */
const checksums = new Map();
for (const entry of readFileSync(join(root, "Cargo.lock"), "utf8").split("[[package]]\n")) {
  const field = (name) => new RegExp(`^${name} = "(.+)"$`, "m").exec(entry)?.[1];
  if (field("checksum")) checksums.set(`${field("name")}@${field("version")}`, field("checksum"));
}

const byId = new Map(metadata.packages.map((crate) => [crate.id, crate]));
const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
const crateRef = (crate) => `pkg:cargo/${crate.name}@${crate.version}`;

/** What a crate links: no dependencies of tests and of build scripts, and no procedural macros. */
function linked(id) {
  return nodes
    .get(id)
    .deps.filter((dependency) => dependency.dep_kinds.some((kind) => kind.kind === null))
    .map((dependency) => dependency.pkg)
    .filter((pkg) => !byId.get(pkg).targets.some((built) => built.kind.includes("proc-macro")));
}

const components = new Map();
const dependencies = new Map();

function addCrate(id) {
  const crate = byId.get(id);
  const ref = crateRef(crate);
  if (components.has(ref)) return ref;
  const checksum = checksums.get(`${crate.name}@${crate.version}`);
  components.set(ref, {
    type: "library",
    "bom-ref": ref,
    name: crate.name,
    version: crate.version,
    ...(checksum && { hashes: [{ alg: "SHA-256", content: checksum }] }),
    // Older manifests write OR as a slash.
    ...(crate.license && { licenses: [{ expression: crate.license.replace(/\s*\/\s*/g, " OR ") }] }),
    purl: ref,
  });
  dependencies.set(ref, []);
  dependencies.set(ref, linked(id).map(addCrate));
  return ref;
}

/** Where Node.js finds a package that the one at `from` requires: beside it, or in a folder above. */
function locate(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
    if (packages[path]) return path;
    if (!folder) return undefined;
  }
}

function addUi(ref, version) {
  const { packages } = JSON.parse(readFileSync(join(root, "ui/package-lock.json"), "utf8"));
  const refs = new Map();
  const add = (path) => {
    if (refs.has(path)) return refs.get(path);
    const entry = packages[path];
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const purl = `pkg:npm/${name.replace("@", "%40")}@${entry.version}`;
    refs.set(path, purl);
    const [algorithm, digest] = (entry.integrity ?? "").split("-");
    components.set(purl, {
      type: "library",
      "bom-ref": purl,
      name,
      version: entry.version,
      ...(algorithm === "sha512" && {
        hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
      }),
      ...(entry.license && { licenses: [{ expression: entry.license }] }),
      purl,
    });
    dependencies.set(purl, required(path, entry));
    return purl;
  };
  const required = (path, { dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
      .map((name) => locate(packages, path, name))
      .filter((found) => found && !packages[found].dev && !packages[found].devOptional)
      .map(add);
  components.set(ref, { type: "library", "bom-ref": ref, name: "template-desk-ui", version });
  dependencies.set(ref, required("", { dependencies: packages[""].dependencies }));
}

const member = (name) => metadata.packages.find((crate) => crate.name === name && !crate.source);
const app = member("template-desk");
const roots = [app, member("cli")].map((crate) => addCrate(crate.id));
const ui = "template-desk-ui";
addUi(ui, app.version);

const product = "template-desk-release";
dependencies.set(product, [...roots, ui]);
const sorted = (values) => [...new Set(values)].sort();
const content = {
  components: sorted(components.keys()).map((ref) => components.get(ref)),
  dependencies: sorted(dependencies.keys()).map((ref) => ({ ref, dependsOn: sorted(dependencies.get(ref)) })),
};
const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  serialNumber: `urn:uuid:${uuid}`,
  version: 1,
  metadata: {
    component: {
      type: "application",
      "bom-ref": product,
      name: "Template Desk",
      version: app.version,
      licenses: [{ expression: app.license }],
    },
    properties: [{ name: "template-desk:target", value: target }],
  },
  ...content,
};
mkdirSync(join(root, "artifacts"), { recursive: true });
const file = join(root, "artifacts/sbom.cdx.json");
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
console.log(`${file}: ${components.size} components for ${target}`);
