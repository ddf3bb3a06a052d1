import fc from 'fast-check'
import { expect, test } from 'vitest'
import { organization, storedItem } from '../testing/organizations.ts'
import { canonical, type FileItem, fileOf, type KnownItem, mapLinks, nameOf, pathPrefix, planChanges, type StoredItem, toFileItems } from './index.ts'
import { parseTree, printFile } from './files.ts'

const filesOf = (stored: StoredItem[]) => new Map(toFileItems(stored).map((item) => [fileOf(item), printFile(item)]))
const knownOf = (stored: StoredItem[]) =>
  new Map(toFileItems(stored).map(({ path, item }): [string, KnownItem] => [path, { kind: item.kind, id: item.id, hash: item.hash, name: nameOf(item.content) }]))
const parse = (files: ReadonlyMap<string, string>): FileItem[] => {
  const { items, faults } = parseTree(files)
  expect(faults).toEqual([])
  return items
}
const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)
const runs = { numRuns: 40 }

test('files that are printed and parsed are the same items', () => {
  fc.assert(
    fc.property(organization, (stored) => {
      const expected = toFileItems(stored).map(({ kind, path, content }) => ({ kind, path, content: canonical(kind, content as never) })).toSorted(byPath)
      expect(parse(filesOf(stored)).toSorted(byPath)).toEqual(expected)
    }),
    runs,
  )
})

test('a tree that was just pulled plans no changes', () => {
  fc.assert(
    fc.property(organization, (stored) => {
      const plan = planChanges({ files: parse(filesOf(stored)), stored, known: knownOf(stored), deletes: true })
      expect({ ...plan, unchanged: plan.unchanged.size }).toEqual({ changes: [], conflicts: [], notes: [], unchanged: stored.length })
    }),
    runs,
  )
})

test('pushing to an empty organization and pulling again gives the same files', () => {
  fc.assert(
    fc.property(organization, (stored) => {
      const files = filesOf(stored)
      const { changes, conflicts } = planChanges({ files: parse(files), stored: [], known: new Map(), deletes: false })
      expect(conflicts).toEqual([])
      const ids = new Map(changes.map(({ kind, path }, index) => [`${kind} ${path}`, `new${index}`]))
      const resolve = (link: string, kind: string) => (link.startsWith(pathPrefix) ? ids.get(`${kind} ${link.slice(pathPrefix.length)}`)! : link)
      const created = changes.map(({ kind, path, content }) => storedItem(kind, ids.get(`${kind} ${path}`)!, mapLinks(kind, content as never, resolve)))
      const known = new Map(changes.map(({ kind, path, content }, index): [string, KnownItem] => [path, { kind, id: `new${index}`, hash: created[index]!.hash, name: nameOf(content!) }]))
      expect(new Map(toFileItems(created, known).map((item) => [fileOf(item), printFile(item)]))).toEqual(files)
    }),
    runs,
  )
})
