import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { type Draft, draftKey, deleteDraft, readDraft, writeDraft } from './draft.ts'

const stores = { persistent: window.localStorage, perTab: window.sessionStorage }
const writeAfterMs = 400

/** The key of a page's draft, and the draft found when the page opens. */
export function useStoredDraft(page: string) {
  const { user, organization } = useSession()
  const key = draftKey({ userId: user.id, organizationId: organization.id }, page)
  const [found] = useState(() => readDraft(stores, key))
  return { key, found, remove: () => deleteDraft(stores, key) }
}

/**
 * Stores the draft shortly after the last key, at once when its query is run, and when the page is left; null means there is nothing to keep. Returns a
 * function to call once the query is saved: it deletes the draft and stops storing it.
 */
export function useAutosavedDraft(key: string, content: Omit<Draft, 'writtenAt'> | null): () => void {
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
  useEffect(() => keep(), [content?.queryId])
  useEffect(() => {
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  return () => {
    isSaved.current = true
    deleteDraft(stores, key)
  }
}
