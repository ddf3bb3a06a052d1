/**
 * Makes the same heading ids as GitHub, so that links to sections work in both places. Call it once per page: a repeated id gets a
 * number.
 */
export function makeSlugs(): (heading: string) => string {
  const taken = new Set<string>()
  return (heading) => {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let name = slug
    for (let count = 1; taken.has(name); count++) name = `${slug}-${count}`
    taken.add(name)
    return name
  }
}
