import "./index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { keepDrafts } from "./lib/drafts";
import { startTheme } from "./lib/theme";
import { router } from "./routes";
import { keepFocus } from "./ui/kept-focus";

startTheme();
keepDrafts();
keepFocus();
// `start.js` counts the attempts to load this code.
sessionStorage.removeItem("start-attempts");

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element");

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
