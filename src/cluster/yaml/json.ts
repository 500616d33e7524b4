/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json
}
