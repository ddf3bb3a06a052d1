/** Reads JSON lines from a stream, one at a time. */
export async function* readJsonLines<Line>(body: NonNullable<Response['body']>): AsyncGenerator<Line> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as Line
  }
}
