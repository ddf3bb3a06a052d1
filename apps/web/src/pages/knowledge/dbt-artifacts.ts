export const artifactNames = ['manifest', 'catalog', 'sources'] as const
export type ArtifactName = (typeof artifactNames)[number]

/** The artifacts among chosen files, by their names. */
export function artifactsIn<Chosen extends { name: string }>(files: readonly Chosen[]): Partial<Record<ArtifactName, Chosen>> {
  return Object.fromEntries(
    artifactNames.flatMap((name) => {
      const file = files.find((each) => each.name === `${name}.json`)
      return file ? [[name, file]] : []
    }),
  )
}

/** One JSON document with all artifacts. Large files are not read into memory for it. */
export function joinArtifacts(artifacts: Partial<Record<ArtifactName, Blob>>): Blob {
  const entries = Object.entries(artifacts).flatMap(([name, file], index) => [`${index === 0 ? '{' : ','}"${name}":`, file])
  return new Blob([...entries, '}'])
}
