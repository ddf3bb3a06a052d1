import { ConnectorFailure, notMcp } from './connector-failure.ts'

/** How much of a tool's answer the model gets. */
export const answerTextMaxBytes = 16 * 1024

/**
 * Turns a tool's answer into text. Text is kept as is, structured content becomes JSON (once, if the server also sends it as text for older
 * clients), and other content, such as images, is replaced by a short note. Throws if the answer is marked as an error.
 */
export function readToolAnswer(result: Readonly<Record<string, unknown>>): string {
  const { content = [], structuredContent, isError } = result
  if (!Array.isArray(content)) throw notMcp()
  const parts = content.map(textOfPart)
  const structured = structuredContent === undefined ? null : jsonOf(structuredContent)
  if (structured !== null && !parts.some((part) => isSameJson(part, structured))) parts.push(structured)
  const text = cut(parts.join('\n\n').toWellFormed().replaceAll('\0', '\ufffd'))
  if (isError === true) throw new ConnectorFailure(text.trim() === '' ? 'The tool failed without giving a reason.' : text)
  return text.trim() === '' ? 'The tool returned nothing.' : text
}

function textOfPart(part: unknown): string {
  if (typeof part !== 'object' || part === null) throw notMcp()
  const { type, text, mimeType, data, uri, name, resource } = part as Record<string, unknown>
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'image' || type === 'audio') {
    const sizeBytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0
    return `[${type} omitted: ${shown(mimeType)}, ${sizeBytes} bytes]`
  }
  if (type === 'resource_link') return `[link omitted: ${shown(name)}, ${shown(uri)}]`
  if (type === 'resource') {
    return `[resource omitted: ${shown((resource as { uri?: unknown } | null | undefined)?.uri)}]`
  }
  return `[unknown content type omitted: ${shown(type)}]`
}

const shown = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : 'unnamed')

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Too deeply nested to serialize.
    throw notMcp()
  }
}

function isSameJson(text: string, json: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    return JSON.stringify(JSON.parse(text)) === json
  } catch {
    return false
  }
}

function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= answerTextMaxBytes) return text
  // In stream mode the decoder drops a character split by the cut.
  const start = new TextDecoder().decode(bytes.subarray(0, answerTextMaxBytes), { stream: true })
  const note = `the answer has ${bytes.length} bytes; only the first ${answerTextMaxBytes} are shown`
  return `${start}\n[Truncated: ${note}.]`
}
