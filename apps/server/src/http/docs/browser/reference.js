// "Try it" on the API reference: sends requests with the reader's key to the service that this page comes from. The key
// lives in the form fields only: it is never stored, and never part of a URL.

/**
 * The request that a filled form describes. A field is `{ in, name, value }`, where `in` is key, path, query, header or
 * body; an empty one is left out.
 */
export function requestOf({ method, path, fields }) {
  const filled = fields.map((field) => ({ ...field, value: field.value.trim() })).filter(({ value }) => value !== '')
  const valuesIn = (place) => filled.filter((field) => field.in === place).map(({ name, value }) => [name, value])
  const [[, key] = []] = valuesIn('key')
  const [[, body] = []] = valuesIn('body')
  const address = valuesIn('path').reduce((part, [name, value]) => part.replace(`{${name}}`, () => encodeURIComponent(value)), path)
  const search = new URLSearchParams(valuesIn('query')).toString()
  return {
    method,
    url: search === '' ? address : `${address}?${search}`,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(valuesIn('header')),
    },
    body,
  }
}

/** What is wrong with the value of a field, or an empty text. */
export function faultOf({ in: place, value }) {
  if (place === 'key' && !/^[\u0021-\u007e]*$/.test(value.trim())) return 'Paste the whole key: it has no spaces.'
  if (place !== 'body' || value.trim() === '') return ''
  try {
    JSON.parse(value)
    return ''
  } catch (error) {
    return `This isn’t valid JSON: ${error.message}`
  }
}

/** JSON is indented; any other text stays as it is. */
export function formatBody(text, contentType) {
  const value = isJson(contentType) ? parseJson(text) : undefined
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

const isJson = (contentType) => /^application\/json\b/.test(contentType)

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON in parts, each with the class that colors it. */
export function colorJson(text) {
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
  const parts = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const [whole, string, colon, literal] = match
    const name = string === undefined ? (literal === undefined ? 'number' : 'literal') : colon === undefined ? 'string' : 'attr'
    const colored = string ?? whole
    parts.push({ text: text.slice(end, match.index), className: '' }, { text: colored, className: `hljs-${name}` })
    end = match.index + colored.length
  }
  parts.push({ text: text.slice(end), className: '' })
  return parts.filter((part) => part.text !== '')
}

export function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

const shownCharacters = 100_000

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const fieldsOf = (form) =>
  [...form.querySelectorAll('[data-in]')].map((field) => ({ field, in: field.dataset.in, name: field.dataset.name, value: field.value }))

function isComplete(form) {
  for (const { field, ...given } of fieldsOf(form)) field.setCustomValidity(faultOf(given))
  return form.reportValidity()
}

async function send(form, signal) {
  const status = form.querySelector('.status')
  const outcome = form.querySelector('.outcome')
  const { method, path } = form.dataset
  const { url, ...init } = requestOf({ method, path, fields: fieldsOf(form) })
  outcome.replaceChildren()
  status.className = 'status'
  status.textContent = 'Sending…'
  const start = performance.now()
  // The reader's session has no part in this: the key alone decides.
  const response = await fetch(url, { ...init, signal, credentials: 'omit', cache: 'no-store', redirect: 'manual' })
  const report = (words) => {
    status.className = `status ${response.ok || response.status === 304 ? 'good' : 'bad'}`
    status.textContent = [`${response.status} ${response.statusText}`.trim(), ...words].join(' · ')
  }
  const since = () => `${Math.round(performance.now() - start)} ms`
  report([since()])
  outcome.append(headersOf(response))
  const contentType = response.headers.get('content-type') ?? ''
  if (contentType.startsWith('text/event-stream')) return followStream(response, outcome, report)
  const bytes = await response.arrayBuffer()
  report([since(), sizeText(bytes.byteLength)])
  showBody(outcome, { bytes, contentType })
}

function headersOf({ headers }) {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  return element('details', {}, element('summary', { textContent: `${lines.length} headers` }), codeOf([{ text: lines.join('\n') }]))
}

async function followStream(response, outcome, report) {
  const figure = codeOf([])
  outcome.append(figure)
  report(['listening'])
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) figure.querySelector('code').append(text)
}

function showBody(outcome, { bytes, contentType }) {
  if (bytes.byteLength === 0) return
  const isText = /^(text\/|application\/jsonl?\b)/.test(contentType)
  const text = isText ? formatBody(new TextDecoder().decode(bytes), contentType) : ''
  if (isJson(contentType)) outcome.prepend(...errorOf(text))
  if (isText) {
    const shown = text.slice(0, shownCharacters)
    outcome.append(codeOf(isJson(contentType) ? colorJson(shown) : [{ text: shown }]))
  }
  if (isText && text.length <= shownCharacters) return
  const href = URL.createObjectURL(new Blob([bytes], { type: contentType }))
  const words = isText ? 'Shortened. Download the whole response' : 'Download the response'
  outcome.append(element('p', {}, element('a', { href, download: 'response', textContent: words })))
}

/** An error of the service says what to do; its code is explained in the documentation. */
function errorOf(text) {
  const { code, message, documentation_url: url } = parseJson(text) ?? {}
  if (!url) return []
  const link = element('a', { href: `/docs/errors#${code}` }, element('code', { textContent: code }))
  return [element('p', { className: 'fault' }, link, ` ${message}`)]
}

function codeOf(parts) {
  const spans = parts.map(({ text, className = '' }) => (className === '' ? text : element('span', { className, textContent: text })))
  return element('figure', { className: 'code' }, element('pre', { tabIndex: 0 }, element('code', {}, ...spans)))
}

/** Sends the form until there is a response, or the reader stops it. */
async function submit(form) {
  const [sendButton, stopButton] = form.querySelectorAll('button')
  const controller = new AbortController()
  stopButton.addEventListener('click', () => controller.abort(), { once: true })
  sendButton.disabled = true
  stopButton.hidden = false
  try {
    await send(form, controller.signal)
  } catch (error) {
    const isStopped = error.name === 'AbortError'
    const status = form.querySelector('.status')
    status.className = isStopped ? 'status' : 'status bad'
    status.textContent = isStopped ? 'Stopped' : `Couldn’t send the request: ${error.message}`
  }
  sendButton.disabled = false
  stopButton.hidden = true
}

function start() {
  const keys = document.querySelectorAll('.try [data-in=key]')
  for (const key of keys) {
    key.addEventListener('input', () => {
      for (const other of keys) other.value = key.value
    })
  }
  for (const panel of document.querySelectorAll('.try')) {
    const form = panel.querySelector('form')
    form.addEventListener('input', (event) => event.target.setCustomValidity(''))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (isComplete(form)) void submit(form)
    })
    panel.hidden = false
  }
}

if (globalThis.document) start()
