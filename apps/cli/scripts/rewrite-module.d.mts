export interface RepositoryPackage {
  name: string
  /** From the root of the repository. */
  folder: string
  main: string | undefined
}
export function rewriteModule(code: string, options: { from: string; packages: RepositoryPackage[] }): string
export function findImports(code: string): string[]
