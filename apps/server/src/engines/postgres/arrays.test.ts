import { expect, test } from 'vitest'
import { jsonBytes } from '../json-bytes.ts'
import { integerText } from '../text-values/number-texts.ts'
import { checkedJsonText, stringText } from '../text-values/quoted-texts.ts'
import type { ValueWriter } from '../text-values/value-writer.ts'
import { arrayText } from './arrays.ts'

function written(writer: ValueWriter, text: string): string {
  const source = Buffer.from(`{,"${text}"},`)
  const out = jsonBytes(8)
  writer(out, source, 3, source.length - 3)
  return Buffer.from(out.bytes.subarray(0, out.length)).toString()
}

test.each([
  ['{}', '[]'],
  ['{1}', '[1]'],
  ['{1,NULL,-3}', '[1,null,-3]'],
  ['{9007199254740993}', '["9007199254740993"]'],
  ['{{1,2},{3,NULL}}', '[[1,2],[3,null]]'],
  ['[0:1]={1,2}', '[1,2]'],
  ['[-1:0][2:3]={{1,2},{3,4}}', '[[1,2],[3,4]]'],
  ['no array', '"no array"'],
])('integers: %s is %s', (text, json) => {
  expect(written(arrayText(integerText), text)).toBe(json)
})

test.each([
  ['{a,b c}', '["a","b c"]'],
  ['{"",NULL,"NULL","null"}', '["",null,"NULL","null"]'],
  [String.raw`{"a \"b\"","c\\d","e,f","{g}"}`, String.raw`["a \"b\"","c\\d","e,f","{g}"]`],
  ['{é,"\u{1f600} x"}', '["é","\u{1f600} x"]'],
  [String.raw`{"{\"a\",NULL}"}`, String.raw`["{\"a\",NULL}"]`],
])('texts: %s is %s', (text, json) => {
  expect(written(arrayText(stringText), text)).toBe(json)
})

test('writes elements that are JSON or arrays of another type', () => {
  expect(written(arrayText(checkedJsonText), String.raw`{"{\"a\": [1, \"x\"]}",NULL,7}`)).toBe('[{"a": [1, "x"]},null,7]')
  expect(written(arrayText(arrayText(integerText)), '{"{1,2}","{NULL}"}')).toBe('[[1,2],[null]]')
})

test('supports another delimiter', () => {
  expect(written(arrayText(stringText, 0x3b), '{(1,1),(0,0);(3,3),(2,2)}')).toBe('["(1,1),(0,0)","(3,3),(2,2)"]')
})
