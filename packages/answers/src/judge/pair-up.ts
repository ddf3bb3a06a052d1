/** Something at a place in a text. */
export interface Placed {
  from: number
}

/**
 * Which of the named things each figure of a clause is about, by their order: one name is shared by all figures; names and figures that
 * alternate belong together one by one, as do several names that are followed by as many figures. Any other arrangement is ambiguous:
 * then a figure has to fit all names.
 */
export function pairUp<N extends Placed, F extends Placed>(names: readonly N[], figures: readonly F[]): Map<F, readonly N[]> {
  const oneByOne = pairOneByOne(names, figures)
  return new Map(figures.map((figure, at) => [figure, oneByOne ? [names[at]!] : names]))
}

export function pairOneByOne(names: readonly Placed[], figures: readonly Placed[]): boolean {
  if (names.length !== figures.length || names.length === 0) return false
  const areNamesFirst = names.at(-1)!.from < figures[0]!.from
  return areNamesFirst || alternates(names, figures) || alternates(figures, names)
}

const alternates = (first: readonly Placed[], second: readonly Placed[]) =>
  first.every(({ from }, at) => from < second[at]!.from && (at + 1 === first.length || second[at]!.from < first[at + 1]!.from))
