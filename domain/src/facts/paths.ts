/** Below these paths the service answers programs; below any other one the website is. */
export const PROGRAM_PATHS = ['v1', 'app', 'health', 'metrics', 'openapi.json', 'docs', 'mcp']
