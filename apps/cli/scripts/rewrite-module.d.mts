export interface RepositoryPackage {
  name: string
  /** From the root of the repository. */
  exports: Record<string, string>
}
export function rewriteModule(code: string, options: { from: string; packages: RepositoryPackage[] }): string
export function findImports(code: string): string[]
