import fc from 'fast-check'
import { canonical, type Contents, type FileItem, hashOf, type ItemKind, mapLinks, type StoredItem, type Tile } from '../src/index.ts'

/** Organizations with all kinds of items that link to each other, and texts that YAML and SQL comments find difficult. */
const difficult = fc.constantFrom('yes', '- a', 'a: b', '# no', "it's", '"quoted"', 'two\nlines', ' indented\n text\n', 'end */ --', '{{x}}', '\r\nwindows', '1e3', 'ÄÖ ✓', '~', 'null')
const text = fc.oneof(difficult, fc.string({ minLength: 1, maxLength: 30 }).filter((each) => each.trim() !== '' && !each.includes('\u0000')))
const name = text.map((each) => each.replaceAll(/\s+/g, ' ').trim()).filter((each) => each !== '')
const schedule = fc.constant({ cron: '0 9 * * 1', timeZone: 'Europe/Berlin' })
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

interface Links {
  folders: string[]
  queries: string[]
  boards: string[]
}

const parameters = ({ queries }: Links) =>
  fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('country', 'since', 'x'),
      type: fc.constant('text'),
      displayName: some(name),
      description: some(text),
      options: some(fc.oneof(fc.constant({ values: [{ value: '' }, { value: '1', label: 'One' }] }), linkTo(queries).map((query) => ({ query, valueColumn: 'id' })))),
    }),
    { maxLength: 2, selector: (parameter) => parameter.name },
  )

const linkTo = (ids: string[]) => (ids.length === 0 ? fc.constant('gone234567') : fc.constantFrom(...ids))

/** A folder is never deleted while something is in it. */
const inFolder = ({ folders }: Links) => (folders.length === 0 ? fc.constant(undefined) : some(fc.constantFrom(...folders)))

const place = (index: number) => ({ x: 0, y: index * 2, width: 6, height: 2 })

const tile = ({ queries, boards }: Links) =>
  fc.oneof(
    fc.record({ heading: text }),
    fc.record({ text }),
    fc.record({
      query: linkTo(queries),
      title: some(name),
      shows: some(fc.constant('table')),
      parameters: some(fc.constant({ country: 'country' })),
      opens: some(linkTo(boards).map((board) => ({ board, parameter: 'country', column: 'country' }))),
    }),
  )
const tiles = (links: Links) => fc.array(tile(links), { maxLength: 3 }).map((each) => each.map((one, index) => ({ ...one, place: place(index) })))

/** The links of items are to those before them, or to any for boards. */
const contents = (links: Links): { [Kind in ItemKind]: fc.Arbitrary<unknown> } => ({
  folder: fc.record({ name, folder: inFolder(links) }),
  query: fc.record({
    title: name,
    description: some(text),
    folder: inFolder(links),
    database: fc.constant('Sample'),
    freshForSeconds: some(fc.constant(3600)),
    parameters: parameters(links),
    visualization: some(fc.constant({ type: 'bar', jsxConfig: '<BarChart>\n  <Bar dataKey="a" />\n</BarChart>', marginConfig: { top: 0, right: 5, bottom: 0, left: 0 } })),
    sql: fc.tuple(text, linkTo(links.queries)).map(([words, id]) => `-- ${words.replaceAll(/[\r\n]/g, ' ')}\nselect * from ref('${id}')`),
  }),
  board: fc.oneof(
    fc.record({ title: name, description: some(name), folder: inFolder(links), parameters: parameters(links), tiles: tiles(links) }),
    fc.record({ title: name, tabs: fc.array(fc.record({ title: name, tiles: tiles(links) }), { minLength: 1, maxLength: 2 }) }),
  ),
  automation: fc.record({
    name,
    instructions: text.map((each) => each.trim()),
    enabled: fc.boolean(),
    schedule: some(schedule),
    queries: linkTo(links.queries).map((link) => [link]),
    condition: some(linkTo(links.queries).map((query) => ({ query, kind: 'row_count', comparison: '>', number: 0 }))),
  }),
  metric: fc.oneof(
    fc.record({ name, description: some(name), unit: some(fc.constant('€')), query: linkTo(links.queries) }),
    fc.record({ name, database: fc.constant('Sample'), sql: fc.constant('select\n  1'), synonyms: fc.constant(['x']) }),
  ),
  question_set: fc.record({
    name,
    schedule: some(schedule),
    questions: fc.constant([
      { question: 'How many?', database: 'Sample', expectedSql: 'select 1' },
      { question: 'Which?', database: 'Sample', expectedRows: [['a', 1, null, true]], tolerance: 0.5 },
    ]),
  }),
})

export const storedItem = <Kind extends ItemKind>(kind: Kind, id: string, content: Contents[Kind]): StoredItem =>
  ({ kind, id, content: canonical(kind, content), hash: hashOf(kind, content) }) as StoredItem

const idsOf = (kind: ItemKind, count: number) => Array.from({ length: count }, (_, index) => `${kind.slice(0, 5)}x${index}xxxx`)

export const organization: fc.Arbitrary<StoredItem[]> = fc
  .record({ folder: fc.nat(3), query: fc.nat(4), board: fc.nat(3), automation: fc.nat(2), metric: fc.nat(2), question_set: fc.nat(1) })
  .chain((counts) => {
    const boards = idsOf('board', counts.board)
    const items = (Object.keys(counts) as ItemKind[]).flatMap((kind) => {
      const folders = idsOf('folder', counts.folder)
      const queries = idsOf('query', counts.query)
      return idsOf(kind, counts[kind]).map((id, index) => {
        const links = { folders: kind === 'folder' ? folders.slice(0, index) : folders, queries: kind === 'query' ? queries.slice(0, index) : queries, boards }
        return contents(links)[kind].map((content) => storedItem(kind, id, content as never))
      })
    })
    return fc.tuple(...items)
  })

/** A board would need these parameters. */
const bare = <Part extends { tiles?: Tile[] }>(part: Part) => ({ ...part, ...(part.tiles && { tiles: part.tiles.map(({ parameters: _, ...tile }) => tile) }) })

/** The same items as a service accepts them: names are unique, links are to items that exist, and SQL is valid. */
export function withoutFaults(items: FileItem[], { database }: { database: string }): FileItem[] {
  let kept = items
  for (;;) {
    const paths = new Set(kept.map(({ kind, path }) => `${kind} ${path}`))
    const next = kept.filter(({ kind, content }) => {
      let isWhole = true
      mapLinks(kind, content as never, (link, linked, isInSql) => {
        if (!isInSql && !paths.has(`${linked} ${link}`)) isWhole = false
        return link
      })
      return isWhole
    })
    if (next.length === kept.length) break
    kept = next
  }
  return kept.map(({ kind, path, content }, index) => {
    const unique = 'title' in content ? { title: `${content.title} ${index}` } : { name: `${content.name} ${index}` }
    const runs = { ...('sql' in content && { sql: `select ${index} as a` }), ...('database' in content && { database }) }
    const shown = { ...('tiles' in content && bare({ tiles: content.tiles })), ...('tabs' in content && { tabs: content.tabs.map(bare) }) }
    const asked = 'questions' in content ? { questions: content.questions.map((question) => Object.assign({}, question, { database })) } : {}
    return { kind, path, content: { ...content, ...unique, ...runs, ...shown, ...asked } } as FileItem
  })
}
