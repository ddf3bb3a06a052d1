/**
 * The data of each `message` event of an event stream (text/event-stream). Lines may end in any of the three ways. A
 * chunk without the end of a line is only put aside, so that a long line in tiny pieces costs no more than in one.
 */
export async function* readEvents(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = []
  let data: string[] = []
  let type = ''
  let endedWithReturn = false

  for await (const chunk of chunks) {
    const text = endedWithReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    if (chunk !== '') endedWithReturn = chunk.endsWith('\r')
    if (!/[\r\n]/.test(text)) {
      pieces.push(text)
      continue
    }
    const lines = (pieces.join('') + text).split(/\r\n|\r|\n/)
    pieces = [lines.pop()!]
    for (const line of lines) {
      if (line !== '') {
        const { field, value } = parseLine(line)
        if (field === 'data') data.push(value)
        if (field === 'event') type = value
        continue
      }
      if (data.length > 0 && (type === '' || type === 'message')) yield data.join('\n')
      data = []
      type = ''
    }
  }
}

function parseLine(line: string): { field: string; value: string } {
  const colon = line.indexOf(':')
  if (colon === -1) return { field: line, value: '' }
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') }
}
