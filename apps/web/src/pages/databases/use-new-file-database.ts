import { definitionOf, type FilePlace } from '@querypost/server/engine-definitions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { addDatabase, type Database, type FileEngine, uploadDatabase } from '../../api/databases.ts'

export type Origin = 'empty' | 'upload' | 'server'

/** The form for a new database in a file. */
export function useNewFileDatabase(options: { name: string; engine: FileEngine; onAdded(database: Database): void }) {
  const { name, engine, onAdded } = options
  const [chosenOrigin, setOrigin] = useState<Origin>('empty')
  const origin = chosenOrigin === 'empty' && !filePlaceOf(engine).takesTables ? 'upload' : chosenOrigin
  const [serverFile, setServerFile] = useState('')
  const [file, setFile] = useState<File>()
  const [sentPercent, setSentPercent] = useState(0)
  const abort = useRef<AbortController>(undefined)
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: (): Promise<Database> => {
      if (origin === 'server') return addDatabase({ name, engine, file: serverFile })
      if (origin === 'empty' || !file) return addDatabase({ name, engine })
      abort.current = new AbortController()
      return uploadDatabase(
        { name, engine, file },
        {
          signal: abort.current.signal,
          onProgress: ({ sentBytes, totalBytes }) =>
            setSentPercent(Math.floor((sentBytes / Math.max(1, totalBytes)) * 100)),
        },
      )
    },
    onSuccess: (database) => {
      void queryClient.invalidateQueries({ queryKey: ['databases'] })
      onAdded(database)
    },
  })
  return {
    origin,
    setOrigin,
    serverFile,
    setServerFile,
    file,
    setFile,
    sentPercent,
    isBusy: adding.isPending,
    isComplete: origin === 'empty' || (origin === 'upload' ? file !== undefined : serverFile !== ''),
    error: adding.error,
    save: () => {
      setSentPercent(0)
      adding.mutate()
    },
    cancel: () => abort.current?.abort(),
  }
}

export type NewFileDatabase = ReturnType<typeof useNewFileDatabase>

export function filePlaceOf(engine: FileEngine): FilePlace {
  const { place } = definitionOf(engine)
  if (place.on !== 'file') throw new Error(`${engine} has no files`)
  return place
}
