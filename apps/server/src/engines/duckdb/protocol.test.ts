import { describe, expect, it } from 'vitest'
import { joinRegions } from './encode/strings.ts'
import { decodeAnswer, encodeJsonFrame, frameKind, frameLimitBytes, frameReader, writeFrameHeader } from './protocol.ts'

async function* inPieces(bytes: Uint8Array, size: number, onPiece = () => {}): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    onPiece()
    yield bytes.subarray(at, at + size)
  }
}

describe('frames', () => {
  const fields = encodeJsonFrame(frameKind.fields, [{ name: 'é', type: 'string' }])
  const end = encodeJsonFrame(frameKind.end, { statistics: { rowsRead: 1, rowsWritten: 0 }, isSpent: false })
  const both = Buffer.concat([fields, end])

  it.each([1, 2, 7, 1000])('are read from chunks of %i bytes', async (size) => {
    const next = frameReader(inPieces(both, size))
    expect(decodeAnswer((await next())!)).toEqual({ kind: 'fields', fields: [{ name: 'é', type: 'string' }] })
    expect(decodeAnswer((await next())!)).toEqual({ kind: 'end', statistics: { rowsRead: 1, rowsWritten: 0 }, isSpent: false })
    expect(await next()).toBeNull()
  })

  it('are not read ahead', async () => {
    let pieces = 0
    const next = frameReader(inPieces(Buffer.concat([fields, fields, fields]), fields.length, () => pieces++))
    await next()
    expect(pieces).toBe(1)
    await next()
    expect(pieces).toBe(2)
  })

  it('that are truncated count as the end of the stream', async () => {
    const next = frameReader(inPieces(both.subarray(0, fields.length + 8), 5))
    expect(await next()).not.toBeNull()
    expect(await next()).toBeNull()
  })

  it('that claim an impossible size are rejected', async () => {
    const header = new Uint8Array(5)
    writeFrameHeader(header, frameKind.rows, frameLimitBytes + 1)
    await expect(frameReader(inPieces(header, 5))()).rejects.toThrow('larger')
  })
})

const joined = (...regions: [number, number][]) =>
  joinRegions(regions.map(([start, end]) => ({ start, end, bytes: new Uint8Array(0) }))).map(({ start, end }) => [start, end])

describe('regions of memory', () => {
  it('are joined when every page between them contains their bytes', () => {
    expect(joined([0, 100], [200, 300])).toEqual([[0, 300]])
    expect(joined([0, 100], [8191, 9000])).toEqual([[0, 9000]])
    expect(joined([200, 300], [0, 100], [50, 60])).toEqual([[0, 300]])
  })

  it('are kept apart when a page between them may be unmapped', () => {
    expect(joined([0, 100], [8192, 9000])).toEqual([[0, 100], [8192, 9000]])
    expect(joined([0, 4096], [8192, 8193])).toEqual([[0, 4096], [8192, 8193]])
    expect(joined([0, 4097], [8192, 8193])).toEqual([[0, 8193]])
  })
})
