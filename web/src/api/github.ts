import { queryOptions } from "@tanstack/react-query";
import { api, body, done, type Schemas } from "./client";

export type User = Schemas["UserProfile"];

export const userQuery = () =>
  queryOptions({
    queryKey: ["github", "user"],
    queryFn: () => body(api.GET("/github/user")),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const logout = () => done(api.POST("/github/logout"));
