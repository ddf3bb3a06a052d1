/** Whether pages may show it as a link. */
export const isWebAddress = (url: string): boolean => URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
