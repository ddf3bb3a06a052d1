import { type ErrorCode, errorCodes } from '../../../model/error-code.ts'
import { escapeHtml } from '../html.ts'
import { codeBlock } from '../render-page.ts'
import { bodySchema, exampleValue } from './example-request.ts'
import { fieldRows, parameterRows, variantsOf } from './field-rows.ts'
import { fieldsHtml, type Inline } from './fields-html.ts'
import type { Guide } from './guides.ts'
import type { Answer, Document, Parameter, Route } from './openapi-document.ts'
import { snippetsOf } from './snippets.ts'
import { tryForm } from './try-form.ts'
import { limitWords } from './type-words.ts'

export interface OperationContext {
  document: Document
  inline: Inline
  guide: Guide | undefined
  /** Codes that every route can return, so they are listed in one line. */
  commonCodes: ReadonlySet<string>
}

/**
 * A route on two columns: what it takes and returns, and beside it the code to call it. On a narrow screen the code comes
 * after the first paragraph.
 */
export function operationHtml(route: Route, context: OperationContext): string {
  const { operation, method, path } = route
  const id = escapeHtml(operation.operationId)
  const summary = context.inline(operation.summary)
  const badge = operation.deprecated ? ' <a class="badge" href="#what-is-retired">Deprecated</a>' : ''
  const paragraphs = (operation.description ?? '').split(/\n{2,}/).filter(Boolean)
  return `<section class="operation" aria-labelledby="${id}">
<div class="lead">
<div class="heading h3"><h3 id="${id}">${summary}</h3><a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(operation.summary)}">#</a></div>
<p class="endpoint">${methodHtml(method)} <code>${escapeHtml(path)}</code>${badge}</p>
${paragraphs.map((text) => `<p>${context.inline(text)}</p>`).join('\n')}
${guideHtml(context.guide)}
</div>
<div class="samples">
<div class="codes">${snippetsOf(context.document, route).map(({ code, ...look }) => codeBlock(code, { ...look, isAnswer: false })).join('')}</div>
${tryForm(context.document, route)}
${exampleHtml(route, context)}
</div>
<div class="details">
${parametersHtml(route, context)}
${bodyHtml(route, context)}
${responsesHtml(route, context)}
${errorsHtml(route, context)}
${limitsHtml(route, context.inline)}
</div>
</section>`
}

export const methodHtml = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`

function guideHtml(guide: Guide | undefined): string {
  return guide ? `<p class="guide"><a href="${escapeHtml(guide.address)}">More in the guide: ${escapeHtml(guide.pageTitle)}</a></p>` : ''
}

const placeTitles: [Parameter['in'], string][] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
]

function parametersHtml({ operation }: Route, { document, inline }: OperationContext): string {
  const parts = placeTitles.map(([place, title]) => {
    const rows = parameterRows(document, operation, place)
    return rows.length === 0 ? '' : `<h4>${title}</h4>\n${fieldsHtml(rows, { inline, marks: 'required' })}`
  })
  return parts.join('\n')
}

function bodyHtml({ operation }: Route, { document, inline }: OperationContext): string {
  const schema = bodySchema(operation.requestBody)
  const rows = schema ? fieldRows(document, schema) : []
  return rows.length === 0 ? '' : `<h4>Body</h4>\n${fieldsHtml(rows, { inline, marks: 'required' })}`
}

function responsesHtml({ operation }: Route, { document, inline }: OperationContext): string {
  return successesOf(operation)
    .map(([status, { description, content = {} }]) => {
      const types = Object.keys(content).map((type) => `<code>${escapeHtml(type)}</code>`)
      const schema = Object.values(content)[0]?.schema
      const variants = schema ? variantsOf(document, schema).filter(({ rows }) => rows.length > 0) : []
      const fields = variants.map(({ name, rows }) => {
        const title = variants.length > 1 ? `<p class="variant"><code>${name}</code></p>` : ''
        return `${title}${fieldsHtml(rows, { inline, marks: 'optional' })}`
      })
      const shownTypes = types.length > 1 ? `<p class="types">${types.join(' ')}</p>` : ''
      return `<h4>Response <span class="code-number">${status}</span></h4>\n<p>${inline(description)}</p>${shownTypes}\n${fields.join('\n')}`
    })
    .join('\n')
}

const successesOf = ({ responses }: Route['operation']): [string, Answer][] =>
  Object.entries(responses).filter(([, answer]) => !answer['x-error-codes'])

function errorsHtml({ operation }: Route, { inline, commonCodes }: OperationContext): string {
  const codes = Object.values(operation.responses).flatMap((answer) => answer['x-error-codes'] ?? []) as ErrorCode[]
  const own = codes.filter((code) => !commonCodes.has(code))
  const rows = own.map((code) => `<li>${errorLink(code)}<p>${inline(errorCodes[code].about)}</p></li>`)
  const common = codes.filter((code) => commonCodes.has(code)).map(errorLink)
  return `<h4>Errors</h4>
${rows.length === 0 ? '' : `<ul class="fields errors">${rows.join('\n')}</ul>`}
<p class="common">${own.length === 0 ? '' : 'As on every route: '}${common.join(', ')}</p>`
}

const errorLink = (code: ErrorCode) =>
  `<a href="/docs/errors#${code}"><span class="code-number">${errorCodes[code].status}</span> <code>${code}</code></a>`

/** The limits of each value, and of the body as a whole. */
export function limitsOf({ operation }: Route): string[] {
  const body = bodySchema(operation.requestBody)
  const values = [
    ...(operation.parameters ?? []).map(({ name, schema }) => [name, schema] as const),
    ...Object.entries(body?.properties ?? {}),
  ]
  const limits = values.flatMap(([name, schema]) => limitWords(schema).map((words) => `\`${name}\`: ${words}`))
  return body ? [...limits, 'request body: at most 1 MiB'] : limits
}

function limitsHtml(route: Route, inline: Inline): string {
  const limits = limitsOf(route)
  if (limits.length === 0) return ''
  return `<h4>Limits</h4>\n<p class="limits">${inline(limits.join('; '))}. <a href="#limits">All limits</a></p>`
}

function exampleHtml({ operation }: Route, { document, guide }: OperationContext): string {
  const [status, answer] = successesOf(operation)[0] ?? []
  const schema = answer?.content?.['application/json']?.schema
  if (!schema) return ''
  const json = guide?.exampleResponse ?? `${JSON.stringify(exampleValue(document, schema), null, 2)}\n`
  return codeBlock(json, { language: 'json', label: `Response ${status}`, isAnswer: true })
}
