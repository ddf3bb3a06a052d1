import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { type Draft, draftKey, dropDraft, readDraft, writeDraft } from './draft.ts'

const stores = { lasting: window.localStorage, ofTab: window.sessionStorage }
const writeAfterMs = 400

/** The key of a page's draft, and what there is under it when the page opens. */
export function useStoredDraft(page: string) {
  const { user, organization } = useSession()
  const key = draftKey({ userId: user.id, organizationId: organization.id }, page)
  const [found] = useState(() => readDraft(stores, key))
  return { key, found, drop: () => dropDraft(stores, key) }
}

/**
 * Keeps what is written, a moment after the last key and at once when the page is left. Null: there is nothing to keep.
 * Returns what to call when it has been saved: from then on nothing is kept.
 */
export function useKeptDraft(key: string, content: Omit<Draft, 'writtenAt'> | null): () => void {
  const isSaved = useRef(false)
  const text = content && JSON.stringify(content)
  const written = useRef(text)
  const keep = useEffectEvent(() => {
    if (!content || isSaved.current || written.current === text) return
    writeDraft(stores, key, { ...content, writtenAt: new Date().toISOString() })
    written.current = text
  })
  useEffect(() => {
    if (text === null) return
    const timer = setTimeout(keep, writeAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  return () => {
    isSaved.current = true
    dropDraft(stores, key)
  }
}
