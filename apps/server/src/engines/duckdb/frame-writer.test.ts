import { expect, test } from 'vitest'
import { makeFrameWriter } from './frame-writer.ts'

function start() {
  const sent: string[] = []
  return { sent, writer: makeFrameWriter((bytes) => void sent.push(Buffer.from(bytes).toString())) }
}
const large = 'x'.repeat(40_000)

test('sends small frames together, in order', () => {
  const { sent, writer } = start()
  const reused = Buffer.from('fields')
  writer.write(reused)
  reused.fill('-')
  writer.write(Buffer.from(' rows'))
  expect(sent).toEqual([])
  writer.flush()
  writer.flush()
  expect(sent).toEqual(['fields rows'])
})

test('sends a large frame at once, after those before it', () => {
  const { sent, writer } = start()
  writer.write(Buffer.from('fields'))
  writer.write(Buffer.from(large))
  expect(sent).toEqual(['fields', large])
})

test('holds a limited number of bytes', () => {
  const { sent, writer } = start()
  const frame = 'y'.repeat(20_000)
  for (let count = 0; count < 3; count += 1) writer.write(Buffer.from(frame))
  expect(sent).toEqual([frame, frame])
})
