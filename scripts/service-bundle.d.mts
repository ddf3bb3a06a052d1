export const unbundledPackages: string[]
export const publishedBundleFolder: string
export function bundleFolder(root?: string): string
export function findBundle(root?: string): string | undefined
