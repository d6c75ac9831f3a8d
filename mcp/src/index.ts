export { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
export { type AssistantParts, assistantServer } from './server.ts'
