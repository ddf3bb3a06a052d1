export function bundleFolder(root?: string): string
export function findBundle(root?: string): string | undefined
