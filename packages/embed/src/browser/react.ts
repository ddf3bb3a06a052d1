'use client'

import { createElement, type CSSProperties, type ReactElement, useEffect, useLayoutEffect, useRef } from 'react'
import type { EmbedParameters } from '../protocol/messages.ts'
import type { EmbedTheme } from '../protocol/theme.ts'
import type { EmbedError, GetToken } from '../session.ts'
import type { QuerypostEmbed as QuerypostEmbedElement, QuerypostEmbedEvents } from './querypost-embed.ts'
import './index.ts'

export type { EmbedError, EmbedParameters, EmbedTheme }

export interface QuerypostEmbedProps {
  /** `https://querypost.example.com/embed/<shortId>`, or set `baseUrl` and `shortId`. */
  src?: string
  baseUrl?: string
  shortId?: string
  /** The first token. Without it, `getToken` gives the first one. */
  token?: string
  /** Returns a new token. Called whenever one is about to expire. */
  getToken?: GetToken
  theme?: EmbedTheme
  /** The name of the frame for screen readers. By default, the title of the query or board. */
  title?: string
  className?: string
  style?: CSSProperties
  onReady?(detail: { title: string }): void
  onError?(error: EmbedError): void
  onResize?(detail: { height: number }): void
  onParametersChanged?(detail: { parameters: EmbedParameters }): void
}

/** Nothing is laid out on a server, and React warns about layout effects there. */
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** `<querypost-embed>` as a React component. Sets properties and listeners itself, so it works with React 18 too. */
export function QuerypostEmbed(props: QuerypostEmbedProps): ReactElement {
  const element = useRef<QuerypostEmbedElement>(null)
  const latest = useRef(props)
  useBrowserEffect(() => {
    latest.current = props
  })
  const themeText = JSON.stringify(props.theme)
  const hasCallback = props.getToken !== undefined

  useBrowserEffect(() => {
    element.current!.getToken = hasCallback ? () => latest.current.getToken!() : undefined
  }, [hasCallback])
  // Compared by content: a theme written as an object literal is a new object on each render.
  useBrowserEffect(() => {
    element.current!.theme = latest.current.theme
  }, [themeText])
  useBrowserEffect(() => {
    const target = element.current!
    const listeners: { [Name in keyof QuerypostEmbedEvents]: (event: QuerypostEmbedEvents[Name]) => void } = {
      ready: ({ detail }) => latest.current.onReady?.(detail),
      error: ({ detail }) => latest.current.onError?.(detail),
      resize: ({ detail }) => latest.current.onResize?.(detail),
      'parameters-changed': ({ detail }) => latest.current.onParametersChanged?.(detail),
    }
    const entries = Object.entries(listeners) as [string, EventListener][]
    for (const [name, listener] of entries) target.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of entries) target.removeEventListener(name, listener)
    }
  }, [])

  const { src, baseUrl, shortId, token, title, className, style } = props
  return createElement('querypost-embed', {
    ref: element,
    src,
    'base-url': baseUrl,
    'short-id': shortId,
    token,
    title,
    // React 18 sets `className` on custom elements as an attribute of that name.
    class: className,
    style,
  })
}
