import { Document, isMap, isScalar, type Pair, visit } from 'yaml'
import { canonical } from './canonical.ts'
import type { Contents, FileItem, ItemKind } from './items.ts'

/** The text of an item's file. Equal items have equal texts. */
export function printFile({ kind, content }: FileItem): string {
  const { folder: _, ...fields } = canonical(kind, content as Contents[ItemKind] & Contents['query']) as Contents['query']
  if (kind !== 'query') return printYaml(fields)
  const { sql, ...header } = fields
  const comment = printYaml(header).trimEnd().split('\n').map((line) => (line === '' ? '--' : `-- ${line}`))
  return `${comment.join('\n')}\n\n${sql}\n`
}

function printYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    // One line for each place of a tile.
    Pair: (_, pair: Pair) => {
      if (isScalar(pair.key) && pair.key.value === 'place' && isMap(pair.value)) pair.value.flow = true
    },
  })
  return document.toString({ lineWidth: 0, blockQuote: 'literal' })
}
