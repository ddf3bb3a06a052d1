import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { foldersOptions } from '../api/folders.ts'
import { FolderTree, type ShownFolder } from './folder-tree.tsx'

/** A list with the folders beside it; on a phone, above it. */
export function WithFolders({ shown, onShow, children }: { shown: ShownFolder; onShow(folder: ShownFolder): void; children: ReactNode }) {
  const { data: folders = [] } = useQuery(foldersOptions)
  if (folders.length === 0) return children
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <FolderTree shown={shown} onShow={onShow} />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">{children}</div>
    </div>
  )
}
