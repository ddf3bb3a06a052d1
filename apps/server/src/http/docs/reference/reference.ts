import type { Section } from '../docs-search.ts'
import { escapeHtml } from '../html.ts'
import { type Heading, markdown } from '../markdown.ts'
import type { RenderContext } from '../render-page.ts'
import { makeSlugs } from '../slugs.ts'
import type { PageSource } from '../sources.ts'
import { findGuides } from './guides.ts'
import { methodHtml, operationHtml } from './operation-html.ts'
import { fieldRows, type FieldRow } from './field-rows.ts'
import { type Document, type Operation, operationsOf, type Route } from './openapi-document.ts'

/** The page that the reference is the second half of. Its first half is handwritten. */
export const referenceFile = 'docs/api.md'
const referenceAddress = '/docs/api'

/**
 * The reference of every published route, made of the OpenAPI document. Handwritten pages add a link to their section on a
 * route and an example of its response, where there is one.
 */
export interface Reference {
  html(): string
  /** The entries below the page in the list of pages: `headings` are those of the handwritten half. */
  entriesHtml(headings: Heading[]): string
  /** Where `GET /api/me` is described. */
  addressOf(route: string): string | undefined
  /** For the search. */
  sections: Section[]
}

export function makeReference(document: Document, pages: Iterable<PageSource>): Reference {
  const routes = operationsOf(document)
  const guides = findGuides(pages)
  const addresses = new Map(
    routes.map(({ method, path, operation }) => [`${method} ${path}`, `${referenceAddress}#${operation.operationId}`]),
  )
  const addressOf = (route: string) => addresses.get(route)
  const context: RenderContext = { file: referenceFile, addressOf: () => undefined, addressOfRoute: addressOf }
  const inline = (text: string) => markdown.renderInline(text, { context })
  const commonCodes = new Set(routes.map(codesOf).reduce((common, codes) => common.filter((code) => codes.includes(code))))
  const slugOf = makeSlugs()
  const groups = document.tags
    .map(({ name, description }) => ({
      name,
      id: slugOf(name),
      description,
      routes: routes.filter(({ operation }) => operation.tags?.includes(name)),
    }))
    .filter((group) => group.routes.length > 0)

  function groupHtml({ name, id, description, routes }: (typeof groups)[number]): string {
    const operations = routes.map((route) => {
      const guide = guides.get(route.operation.operationId)
      return operationHtml(route, { document, inline, guide, commonCodes })
    })
    return `<div class="heading h2"><h2 id="${id}">${escapeHtml(name)}</h2><a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(name)}">#</a></div>
<p>${inline(description)}</p>
${operations.join('\n')}`
  }

  return {
    html: () => `<div class="reference">\n${groups.map(groupHtml).join('\n')}\n</div>`,
    entriesHtml(headings) {
      const overview = headings.filter(({ level }) => level === 2).map(({ id, text }) => entryHtml(id, escapeHtml(text)))
      const operations = groups.map(({ name, id, routes }) => {
        const items = routes.map(({ method, operation }) => {
          return entryHtml(operation.operationId, `${methodHtml(method)} ${escapeHtml(operation.summary)}`)
        })
        return `<li><a class="group" href="#${id}">${escapeHtml(name)}</a><ul>${items.join('')}</ul></li>`
      })
      return `<ul class="entries">${overview.join('')}${operations.join('')}</ul>`
    },
    addressOf,
    sections: routes.map(({ method, path, operation }) => ({
      pageTitle: 'API reference',
      title: operation.summary,
      address: `${referenceAddress}#${operation.operationId}`,
      text: [`${method} ${path}`, operation.description ?? '', ...namesOf(document, operation)].join(' '),
    })),
  }
}

const entryHtml = (id: string, html: string) => `<li><a href="#${escapeHtml(id)}">${html}</a></li>`

const codesOf = ({ operation }: Route): string[] =>
  Object.values(operation.responses).flatMap((answer) => answer['x-error-codes'] ?? [])

/** People search a route by its parameters and fields, too. */
function namesOf(document: Document, operation: Operation): string[] {
  const responses = Object.values(operation.responses).filter((answer) => !answer['x-error-codes'])
  const contents = [operation.requestBody, ...responses].flatMap((part) => Object.values(part?.content ?? {}))
  const fields = contents.flatMap(({ schema }) => fieldRows(document, schema)).flatMap(withChildren)
  const parameters = (operation.parameters ?? []).map(({ name }) => name)
  return [...new Set([...parameters, ...fields])]
}

const withChildren = ({ name, children }: FieldRow): string[] => [name, ...children.flatMap(withChildren)]
