import "./index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { keepDrafts } from "./lib/drafts";
import { tabStorage } from "./lib/storage";
import { startTheme } from "./lib/theme";
import { router } from "./routes";
import { keepFocus } from "./ui/kept-focus";

// The headings' font, which is as large as the code of the first page: before that, it would only delay the page.
void document.fonts.load("620 1em Archivo");
startTheme();
keepDrafts();
keepFocus();
// `start.js` counts the attempts to load this code.
tabStorage.removeItem("start-attempts");

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element");

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
