interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Modules that `from` needs as soon as it runs. */
function neededBy(from: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(from)) return found;
  found.add(from);
  for (const id of modules.getModuleInfo(from)?.importedIds ?? []) neededBy(id, modules, found);
  return found;
}

/**
 * Puts everything that the first screen needs into one chunk, and what `entry` needs into another, which runs first. The
 * bundler would make a chunk of each set of modules that several screens share, about sixty, and each is a request to the
 * process of the window.
 */
export function firstScreenChunk(entry: string, firstScreen: string) {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    name(id: string, modules: Modules): string | null {
      if (!names) {
        const earlier = neededBy(entry, modules);
        const needed = [...neededBy(firstScreen, modules)].filter((module) => !earlier.has(module));
        names = new Map([
          ...[...earlier].filter((module) => module !== entry).map((module) => [module, "start"] as const),
          ...needed.map((module) => [module, "first-screen"] as const),
        ]);
      }
      return names.get(id) ?? null;
    },
    includeDependenciesRecursively: false,
  };
}
