import type { Plugin } from 'vite'

export interface BundledPackage {
  name: string
  version: string
  license: string | null
  texts: string[]
}

export function listPackages(options: { fileName: string }): Plugin
export function packageFolderOf(module: string): string | undefined
export function writeLicenses(lists: BundledPackage[][]): string
