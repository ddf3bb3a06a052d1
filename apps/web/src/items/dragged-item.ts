import type { DragEvent } from 'react'
import type { ItemAddress, ItemKind } from '../api/items.ts'

/** A query or a board that is dragged to a folder. Other pages and programs can't read it. */
const format = 'application/x-querypost-item'

export type DraggedItem = ItemAddress & { title: string }

export function startDrag(event: DragEvent, item: DraggedItem): void {
  event.dataTransfer.setData(format, JSON.stringify(item))
  event.dataTransfer.effectAllowed = 'move'
}

/** Browsers show only the format while something is dragged over a target. */
export const isItem = (event: DragEvent): boolean => event.dataTransfer.types.includes(format)

export function droppedItem(event: DragEvent): DraggedItem | undefined {
  const text = event.dataTransfer.getData(format)
  if (text === '') return undefined
  const { kind, shortId, version, title } = JSON.parse(text) as DraggedItem
  return { kind: kind satisfies ItemKind, shortId, title, ...(version !== undefined && { version }) }
}
