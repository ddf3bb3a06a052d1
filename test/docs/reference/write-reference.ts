import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { LinkTo, OpenapiDocument as Document } from '@querypost/server/documentation'
import { root } from '../markdown-files.ts'
import { errorsText } from './errors-text.ts'
import { eventSchemaNames, eventsText, eventTableText } from './events-text.ts'
import { answersText, routeText, schemaText } from './reference-text.ts'
import { fillRegions, type Region, regionsOf } from './regions.ts'

const texts = {
  route: routeText,
  answers: answersText,
  object: schemaText,
  errors: errorsText,
  events: eventsText,
  'event-table': eventTableText,
}

export interface ReferenceFile {
  /** Relative to the root of the repository. */
  file: string
  /** The content on disk. */
  text: string
  /** The content generated from the OpenAPI document and the tables of errors and events. */
  written: string
}

const objectNames = ({ kind, name }: Region) => (kind === 'object' ? [name] : kind === 'events' ? eventSchemaNames : [])

export async function writeReference(document: Document): Promise<ReferenceFile[]> {
  const names = (await readdir(path.join(root, 'docs/api'))).filter((name) => name.endsWith('.md')).toSorted()
  const files = await Promise.all(
    ['docs/errors.md', 'docs/webhooks.md', ...names.map((name) => `docs/api/${name}`)].map(async (file) => {
      return { file, text: await readFile(path.join(root, file), 'utf8') }
    }),
  )
  const objects = files.flatMap(({ file, text }) =>
    regionsOf(text).flatMap((region) => objectNames(region).map((name) => [name, file] as const)),
  )
  const places = new Map(objects)
  return files.map(({ file, text }) => {
    const linkTo: LinkTo = (schemaName) => {
      const place = places.get(schemaName)
      if (place === undefined) {
        throw new Error(`No page describes ${schemaName}, which ${file} uses. Add a region for it to a page.`)
      }
      return `[${schemaName}](${place === file ? '' : path.basename(place)}#${schemaName.toLowerCase()})`
    }
    const contentOf = ({ kind, name }: Region) => texts[kind](document, name, linkTo)
    return { file, text, written: fillRegions(text, contentOf) }
  })
}
