import { expect, test } from 'vitest'
import { detectEncoding } from './detect-encoding.ts'

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const bytes = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['plain ASCII', bytes('a;b\n1;2\n'), 'utf-8'],
  ['UTF-8', Buffer.from('Köln;1 €\n'), 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFa;b\n'), 'utf-8'],
  ['UTF-8 that ends within a character', Buffer.from('Preis €').subarray(0, -1), 'utf-8'],
  ['UTF-16 LE with a mark', Buffer.from('\uFEFFa\tb\n', 'utf16le'), 'utf-16le'],
  ['UTF-16 BE with a mark', utf16be('\uFEFFa\tb\n'), 'utf-16be'],
  ['UTF-16 LE without a mark', Buffer.from('name\tKöln\n', 'utf16le'), 'utf-16le'],
  ['UTF-16 BE without a mark', utf16be('name\tKöln\n'), 'utf-16be'],
  ['Windows-1252 with a euro sign', bytes('Preis \x80;K\xf6ln\n'), 'windows-1252'],
  ['Windows-1252 with nothing but umlauts', bytes('K\xf6ln;\xdcber\n'), 'windows-1252'],
  ['Windows-1252 with a fraction', bytes('K\xf6ln;\xbd \n'), 'windows-1252'],
  ['ISO-8859-15 with a euro sign', bytes('5 \xa4;K\xf6ln\n'), 'iso-8859-15'],
  ['ISO-8859-15 with a French ligature', bytes('c\xbdur;1\n'), 'iso-8859-15'],
])('detects %s', (_, beginning, encoding) => {
  expect(detectEncoding(beginning)).toBe(encoding)
})
