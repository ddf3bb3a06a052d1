import { escapeHtml } from '../html.ts'
import { bodySchema, exampleRequest } from './example-request.ts'
import { isRequired } from './field-rows.ts'
import type { Document, Parameter, Route } from './openapi-document.ts'

/**
 * The form that `browser/reference.js` sends. It is hidden until the script runs, and no field has a `name`, so a browser
 * can't put the key into a URL.
 */
export function tryForm(document: Document, route: Route): string {
  const { method, path, operation } = route
  const { body } = exampleRequest(document, route)
  const places: Parameter['in'][] = ['path', 'query', 'header']
  const fields = places.flatMap((place) => (operation.parameters ?? []).filter((parameter) => parameter.in === place))
  return `<details class="try" hidden><summary>Try it</summary>
<form data-method="${method}" data-path="${escapeHtml(path)}" autocomplete="off">
<label><span>API key</span>
<input type="password" data-in="key" required placeholder="qp_live_…" autocomplete="off" spellcheck="false"></label>
<p class="hint">Sent only to this service and kept only until you leave this page. <a href="/account">Create a key</a></p>
${fields.map((parameter) => fieldHtml(parameter)).join('\n')}
${body === undefined ? '' : bodyHtml(body, bodySchema(operation.requestBody)?.required)}
<div class="buttons"><button type="submit">Send request</button><button type="button" data-action="stop" hidden>Stop</button></div>
<p class="status" role="status"></p>
<div class="outcome"></div>
</form></details>`
}

function fieldHtml(parameter: Parameter): string {
  const { name, in: place, schema } = parameter
  const required = isRequired(parameter) ? ' required' : ''
  const attributes = `data-in="${place}" data-name="${escapeHtml(name)}"${required}`
  const label = `<span><code>${escapeHtml(name)}</code> <small>${required === '' ? `${place}, optional` : place}</small></span>`
  const choices = schema.enum ?? schema.items?.enum
  return `<label>${label}\n${choices ? selectHtml(choices, attributes) : inputHtml(parameter, attributes)}</label>`
}

function selectHtml(choices: unknown[], attributes: string): string {
  const options = ['', ...choices.map(String)].map((choice) => `<option>${escapeHtml(choice)}</option>`)
  return `<select ${attributes}>${options.join('')}</select>`
}

/** An optional parameter shows its example as a placeholder, because a made-up cursor or ETag only leads to an error. */
function inputHtml(parameter: Parameter, attributes: string): string {
  const { example, schema } = parameter
  const shown = escapeHtml(`${(schema.default ?? example ?? '') as string | number}`)
  const value = isRequired(parameter) ? `value="${shown}"` : `placeholder="${shown}"`
  return `<input type="text" ${attributes} ${value} autocomplete="off" spellcheck="false">`
}

function bodyHtml(body: unknown, required: string[] = []): string {
  const json = JSON.stringify(body, null, 2)
  const lines = json.split('\n').length
  const note = required.length > 0 ? 'JSON' : 'JSON, optional'
  return `<label><span>Body <small>${note}</small></span>
<textarea data-in="body" rows="${Math.max(3, lines)}" spellcheck="false">${escapeHtml(json)}</textarea></label>`
}
