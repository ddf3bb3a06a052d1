/** A field of a "Try it" form. */
export interface Field {
  in: 'key' | 'path' | 'query' | 'header' | 'body'
  name?: string
  value: string
}

export interface FormRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

export function requestOf(form: { method: string; path: string; fields: Field[] }): FormRequest
export function faultOf(field: Field): string
export function formatBody(text: string, contentType: string): string
export function colorJson(text: string): { text: string; className: string }[]
export function sizeText(bytes: number): string
