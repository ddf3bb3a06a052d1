import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findException } from './clickhouse-failure.ts'
import { IncompleteResult, UnexpectedFormat, readResult } from './result.ts'

/** From 18.16, which quotes integers and escapes slashes by default. */
const oldBody = `{
	"meta":
	[
		{
			"name": "id",
			"type": "UInt64"
		},
		{
			"name": "\\"data\\":",
			"type": "Nullable(String)"
		}
	],

	"data":
	[
		["0", "a\\/b"],
		["18446744073709551615", null]
	],

	"rows": 2,

	"rows_before_limit_at_least": 10,

	"statistics":
	{
		"elapsed": 0.000115677,
		"rows_read": 184,
		"bytes_read": 26852
	}
}
`

/** From 26.9, WITH TOTALS and extremes. */
const newBody = `{
	"meta":
	[
		{
			"name": "sum(number)",
			"type": "UInt64"
		}
	],

	"data":
	[
		[20],
		[25]
	],

	"totals": [45],

	"extremes":
	{
		"min": [20],
		"max": [25]
	},

	"rows": 2,

	"statistics":
	{
		"elapsed": 0.003890878,
		"rows_read": 10,
		"bytes_read": 80
	}
}
`

/** The chunks of a body, followed by its end or by a lost connection. */
function pieces(parts: (string | Uint8Array)[], { isLost = false } = {}) {
  const rest = parts.map((part) => Buffer.from(part))
  return async () => {
    const piece = rest.shift()
    if (piece === undefined && isLost) throw new Error('other side closed')
    return piece ?? null
  }
}

async function read(next: () => Promise<Uint8Array | null>) {
  const { fields, batches } = await readResult({ next, times: { kind: 'utc' } })
  const rows: unknown[] = []
  for (;;) {
    const step = await batches.next()
    if (step.done) return { fields, rows, ...step.value }
    rows.push(...(JSON.parse(`[${Buffer.from(step.value.json).toString()}]`) as unknown[]))
  }
}

const tailOf = async (next: () => Promise<Uint8Array | null>) => {
  const error = await read(next).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(IncompleteResult)
  return (error as IncompleteResult).tail
}

describe('a complete result', () => {
  test.each([
    ['18.16', oldBody, { rows: [[0, 'a/b'], ['18446744073709551615', null]], rowsRead: 184, bytesRead: 26_852 }],
    ['26.9', newBody, { rows: [[20], [25]], rowsRead: 10, bytesRead: 80 }],
  ])('of %s is read correctly however it is chunked', async (_, body, expected) => {
    expect(await read(pieces([body]))).toMatchObject(expected)
    const bytes = Buffer.from(body)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        expect(await read(pieces(places.slice(1).map((end, index) => bytes.subarray(places[index], end))))).toMatchObject(expected)
      }),
      { seed: 20260105, numRuns: 60 },
    )
    expect(await read(pieces([...bytes].map((byte) => Buffer.of(byte))))).toMatchObject(expected)
  })

  test('may have no rows and arbitrary column names', async () => {
    const { fields } = await read(pieces([oldBody]))
    expect(fields).toEqual([{ name: 'id', type: 'integer' }, { name: '"data":', type: 'string' }])
    const empty = newBody.replace('[20],\n\t\t[25]', '').replace('"rows": 2', '"rows": 0')
    expect(await read(pieces([empty]))).toMatchObject({ rows: [], rowsRead: 10 })
  })

  test('may have a value larger than any chunk', async () => {
    const text = 'x'.repeat(3_000_000)
    const large = oldBody.replace('a\\/b', text)
    const parts = Array.from({ length: Math.ceil(large.length / 50_000) }, (_, index) => large.slice(index * 50_000, (index + 1) * 50_000))
    expect((await read(pieces(parts))).rows[0]).toEqual([0, text])
  })
})

describe('an incomplete result is detected when it has', () => {
  test.each([['18.16', oldBody], ['26.9', newBody]])('a body of %s cut off at any point', async (_, body) => {
    const end = body.trimEnd().length
    for (let size = 0; size < end; size++) expect(await tailOf(pieces([body.slice(0, size)]))).toBeTypeOf('string')
    for (let size = 0; size <= end; size += 7) {
      expect(await tailOf(pieces([body.slice(0, size)], { isLost: true }))).toBeTypeOf('string')
    }
  })

  test('a row too few or too many', async () => {
    expect(await tailOf(pieces([newBody.replace('[20],', '')]))).toContain('"rows": 2')
    expect(await tailOf(pieces([newBody.replace('[20],', '[20],[21],')]))).toContain('"rows": 2')
  })

  test('an error written into the rows, as 18.16 does', async () => {
    const rows = oldBody.slice(0, oldBody.indexOf(',\n\t\t["184'))
    const message = "Code: 395, e.displayText() = DB::Exception: Value passed to 'throwIf' function is non zero, e.what() = DB::Exception\n"
    for (const cut of [rows, `${rows},\n\t\t["18`, `${rows},\n\t\t["1", "in a str`, `${rows},\n\t\t["1", "a \\`]) {
      const tail = await tailOf(pieces([cut, message]))
      expect(findException(tail)).toEqual({ code: 395, message: "Value passed to 'throwIf' function is non zero" })
    }
  })

  test('an error between markers before a lost connection, as current versions do', async () => {
    const message = 'Code: 241. DB::Exception: Memory limit (for query) exceeded: would use 10.00 GiB. (MEMORY_LIMIT_EXCEEDED) (version 25.11.1.1 (official build))'
    const marked = `\r\n__exception__\r\nabcdefghijklmnop\r\n${message}\n${message.length + 1} abcdefghijklmnop\r\n__exception__\r\n`
    const tail = await tailOf(pieces([newBody.slice(0, newBody.indexOf(',\n\t\t[25]')), marked], { isLost: true }))
    expect(findException(tail)).toEqual({ code: 241, message: 'Memory limit (for query) exceeded: would use 10.00 GiB.' })
  })

  test('an error as part of otherwise complete JSON', async () => {
    const message = 'Code: 395. DB::Exception: Value passed to \'throwIf\' function is non-zero. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)'
    const tail = await tailOf(pieces([newBody.replace('"rows": 2', `"exception": ${JSON.stringify(message)},\n\n\t"rows": 2`)]))
    expect(findException(tail)?.code).toBe(395)
  })

  test('an error after the end', async () => {
    const tail = await tailOf(pieces([newBody, 'Code: 209, e.displayText() = DB::NetException: Timeout exceeded, e.what() = DB::NetException']))
    expect(findException(tail)).toEqual({ code: 209, message: 'Timeout exceeded' })
  })
})

test('rejects rows that are objects as an unexpected format', async () => {
  await expect(read(pieces([newBody.replace('[20]', '{"sum(number)": 20}')]))).rejects.toThrow(UnexpectedFormat)
  await expect(read(pieces(['{"data": []}']))).rejects.toThrow(UnexpectedFormat)
})
