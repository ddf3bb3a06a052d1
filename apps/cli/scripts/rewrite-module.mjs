import path from 'node:path'

/** Matches `from '…'`, `import '…'`, `import('…')` and `import.meta.resolve('…')`. */
const specifierPattern = /((?<=^(?:import|export)\b[^'"`;]*)\bfrom\s*|\bimport\s*\(?\s*|\bimport\.meta\.resolve\(\s*)(['"])([^'"\s]+)\2/gm
/** Matches the files of child processes and workers. */
const programPattern = /(new URL\(\s*)(['"])(\.[^'"\n]*)\.ts\2(\s*,\s*import\.meta\.url)/g

/**
 * Rewrites what the compiler leaves alone: imports between packages of the repository, which are one package now, and the file names of
 * child processes. The compiler has already changed `.ts` to `.js` in relative imports.
 */
export function rewriteModule(code, { from, packages }) {
  return code
    .replaceAll(specifierPattern, (whole, before, quote, specifier) => {
      const found = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
      if (!found) return whole
      const target = found.exports[`.${specifier.slice(found.name.length)}`]
      if (target === undefined) throw new Error(`${from} imports ${specifier}, which ${found.name} does not export`)
      const relative = path.posix.relative(path.posix.dirname(from), target).replace(/\.ts$/, '.js')
      return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`
    })
    .replaceAll(programPattern, '$1$2$3.js$2$4')
}

/** Finds all modules and programs that a module refers to. */
export function findImports(code) {
  const programs = code.matchAll(/new URL\(\s*['"](\.[^'"\s]*\.[jt]s)['"]\s*,\s*import\.meta\.url/g)
  return [
    ...Array.from(code.matchAll(specifierPattern), (found) => found[3]),
    ...Array.from(programs, (found) => found[1]),
  ]
}
