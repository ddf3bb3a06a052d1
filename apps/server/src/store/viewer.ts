import { AsyncLocalStorage } from 'node:async_hooks'
import type { Access, RowBindings } from '../model/access.ts'

/**
 * A *viewer* is a person who may not see everything of their organization, or not the results that others made. While something is done
 * for a viewer, every statement through the store reads views without the hidden rows instead of the tables (access/visible-tables.ts). So
 * it does not matter which function asks: to a viewer, hidden things don't exist.
 */
export interface Viewer extends Pick<Access, 'hiddenDatabaseIds' | 'hiddenFolderIds'> {
  /** Of the person, or of an API key that belongs to groups. Such a key doesn't see all that its member asked. */
  id: string
  rowBindings?: RowBindings
}

const viewers = new AsyncLocalStorage<Viewer | undefined>()

export const currentViewer = (): Viewer | undefined => viewers.getStore()

/** Calls back with the viewer as the context, for everything that starts in there. */
export const asViewer = <Result>(viewer: Viewer | undefined, act: () => Result): Result => viewers.run(viewer, act)

/** For work that is shared by several people. It must not tell any of them more than they may see. */
export const asNobody = <Result>(act: () => Result): Result => viewers.run(undefined, act)

/** The same sequence, read by the viewer: a stream asks for the next item in a context of its own. */
export async function* readAsViewer<Item>(viewer: Viewer | undefined, items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  const iterator = asViewer(viewer, () => items[Symbol.asyncIterator]())
  try {
    for (;;) {
      const next = await asViewer(viewer, () => iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await asViewer(viewer, () => iterator.return?.())
  }
}
