import { ConnectorFailure, notTheProtocol } from './connector-failure.ts'

/** How much of a tool's answer a model gets. */
export const answerTextMaxBytes = 16 * 1024

/**
 * A tool's answer as text. Texts are taken as they are and structured content as JSON (once, where a server sends it as
 * text too, for older clients). Whatever else there is, as an image, is named and left out. An answer that says it is
 * an error is thrown.
 */
export function readToolAnswer(result: Readonly<Record<string, unknown>>): string {
  const { content = [], structuredContent, isError } = result
  if (!Array.isArray(content)) throw notTheProtocol()
  const parts = content.map(textOfPart)
  const structured = structuredContent === undefined ? null : jsonOf(structuredContent)
  if (structured !== null && !parts.some((part) => isSameJson(part, structured))) parts.push(structured)
  const text = cut(parts.join('\n\n').toWellFormed().replaceAll('\0', '\ufffd'))
  if (isError === true) throw new ConnectorFailure(text.trim() === '' ? 'The tool failed and did not say why.' : text)
  return text.trim() === '' ? 'The tool answered with nothing.' : text
}

function textOfPart(part: unknown): string {
  if (typeof part !== 'object' || part === null) throw notTheProtocol()
  const { type, text, mimeType, data, uri, name, resource } = part as Record<string, unknown>
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'image' || type === 'audio') {
    const sizeBytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0
    return `[${type} left out: ${shown(mimeType)}, ${sizeBytes} bytes]`
  }
  if (type === 'resource_link') return `[link left out: ${shown(name)}, ${shown(uri)}]`
  if (type === 'resource') {
    return `[resource left out: ${shown((resource as { uri?: unknown } | null | undefined)?.uri)}]`
  }
  return `[content of an unknown kind left out: ${shown(type)}]`
}

const shown = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : 'unnamed')

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Nested so deep that it cannot be written.
    throw notTheProtocol()
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
  // A character that the cut goes through is left out: in a stream its end may still come.
  const start = new TextDecoder().decode(bytes.subarray(0, answerTextMaxBytes), { stream: true })
  const note = `the answer has ${bytes.length} bytes, and only the first ${answerTextMaxBytes} are shown`
  return `${start}\n[Cut here: ${note}.]`
}
