import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { addDatabase, type Database, uploadDatabase } from '../../api/databases.ts'

export type Origin = 'empty' | 'upload' | 'server'

/** The form for a new DuckDB database. */
export function useNewDuckdb({ name, onAdded }: { name: string; onAdded(database: Database): void }) {
  const [origin, setOrigin] = useState<Origin>('empty')
  const [serverFile, setServerFile] = useState('')
  const [file, setFile] = useState<File>()
  const [sentPercent, setSentPercent] = useState(0)
  const abort = useRef<AbortController>(undefined)
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: (): Promise<Database> => {
      if (origin === 'server') return addDatabase({ name, file: serverFile })
      if (origin === 'empty' || !file) return addDatabase({ name })
      abort.current = new AbortController()
      return uploadDatabase(
        { name, file },
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

export type NewDuckdb = ReturnType<typeof useNewDuckdb>
