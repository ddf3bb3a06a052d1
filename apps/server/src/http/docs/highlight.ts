import type { HLJSApi } from 'highlight.js'
import core from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { escapeHtml } from './html.ts'

/**
 * The languages of code blocks in the documentation: name, label and grammar.
 */
const languages = {
  sh: { label: 'Shell', grammar: bash },
  ts: { label: 'TypeScript', grammar: typescript },
  js: { label: 'JavaScript', grammar: typescript },
  jsx: { label: 'JSX', grammar: typescript },
  json: { label: 'JSON', grammar: json },
  sql: { label: 'SQL', grammar: sql },
  python: { label: 'Python', grammar: python },
  go: { label: 'Go', grammar: go },
  ruby: { label: 'Ruby', grammar: ruby },
  php: { label: 'PHP', grammar: php },
  java: { label: 'Java', grammar: java },
  http: { label: 'HTTP', grammar: http },
  yaml: { label: 'YAML', grammar: yaml },
  ini: { label: 'Settings', grammar: ini },
  html: { label: 'HTML', grammar: xml },
  text: { label: '', grammar: undefined },
} as const

export type Language = keyof typeof languages

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

export const labelOf = (language: string): string => (isLanguage(language) ? languages[language].label : '')

const highlighter: HLJSApi = core.newInstance()
for (const [name, { grammar }] of Object.entries(languages)) {
  if (grammar) highlighter.registerLanguage(name, grammar)
}

/** Highlighted code as HTML. Code in an unknown language is only escaped. */
export function highlight(code: string, language: string): string {
  if (!highlighter.getLanguage(language)) return escapeHtml(code)
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value
}
