/** Licenses under which a package may be part of what we ship: none of them restricts how users license their own work. */
const allowed = new Set([
  '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'MPL-2.0', 'PSF-2.0', 'Python-2.0', 'Unlicense',
])

/** Packages whose manifest names no license, read by a person. A new version has to be read again. */
const readByHand = new Map([
  ['dejavu-fonts-ttf@2.37.3', 'Bitstream Vera and Arev licenses (LICENSE): fonts, free to embed and redistribute'],
  ['png-js@2.0.0', 'MIT (LICENSE)'],
])

/** Why a component of a CycloneDX document may not be shipped; undefined if it may. */
export function findLicenseFault(component) {
  const reference = component['bom-ref']
  if (/^(querypost|@querypost\/.+)@/.test(reference)) return undefined
  const expressions = (component.licenses ?? []).map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
  if (expressions.length === 0) return readByHand.has(reference) ? undefined : 'names no license'
  const refused = expressions.filter((expression) => !isAllowed(expression))
  return refused.length > 0 ? `has the license ${refused.join(', ')}` : undefined
}

/** SPDX: of `A OR B` one suffices, of `A AND B` both are needed. Nested expressions do not occur and are refused. */
function isAllowed(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some((each) => allowed.has(each))
  return plain.split(' AND ').every((each) => allowed.has(each))
}
