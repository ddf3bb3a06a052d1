export const worldMapName = 'world'
