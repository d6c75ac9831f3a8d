/** Below these paths the service answers programs; below any other one the website is. */
export const PROGRAM_PATHS = [
  'v1',
  'control',
  'app',
  'health',
  'metrics',
  'openapi.json',
  'docs',
  'mcp',
  'oauth',
  '.well-known',
]

export const isOfPrograms = (path: string): boolean => PROGRAM_PATHS.includes(path.split('/')[1] ?? '')
