import path from 'node:path'

/**
 * Names of modules, where modules are named: `from '…'`, `import '…'`, `import('…')` and `import.meta.resolve('…')`.
 */
const specifierPattern = /(\bfrom\s*|\bimport\s*\(?\s*|\bimport\.meta\.resolve\(\s*)(['"])([^'"\s]+)\2/g
/** Programs that child processes run, and workers. */
const programPattern = /(new URL\(\s*)(['"])(\.[^'"\n]*)\.ts\2(\s*,\s*import\.meta\.url)/g

/**
 * The compiler has made `.js` of the `.ts` of relative imports. What it leaves: imports from one package of the
 * repository into another, which are within one package now, and files that are named as such.
 */
export function rewriteModule(code, { from, packages }) {
  return code
    .replaceAll(specifierPattern, (whole, before, quote, specifier) => {
      const found = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
      if (!found) return whole
      const wanted = found.exports[`.${specifier.slice(found.name.length)}`]
      if (wanted === undefined) throw new Error(`${from} imports ${specifier}, which ${found.name} does not export`)
      const relative = path.posix.relative(path.posix.dirname(from), wanted).replace(/\.ts$/, '.js')
      return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`
    })
    .replaceAll(programPattern, '$1$2$3.js$2$4')
}

/** Every module and program that a module names. */
export function findImports(code) {
  const programs = code.matchAll(/new URL\(\s*['"](\.[^'"\s]*\.[jt]s)['"]\s*,\s*import\.meta\.url/g)
  return [
    ...Array.from(code.matchAll(specifierPattern), (found) => found[3]),
    ...Array.from(programs, (found) => found[1]),
  ]
}
