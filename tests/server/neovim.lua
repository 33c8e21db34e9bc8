-- What Neovim does with `doilinks server`: arguments are the server and the file for the results.
local server, results = vim.env.DOILINKS, {}
vim.cmd("edit a.md")
local client = vim.lsp.start_client({ name = "doilinks", cmd = { server, "server" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
local function wait(ready) assert(vim.wait(60000, ready, 20)) end
local function ask(method, params)
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, 60000))
  return answers[client].result
end

wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(results, { each.lnum, each.col, each.end_col, each.message:match("^[%a ]+") })
end

local _, column = vim.fn.getline(3):find("10.1000", 1, true)
vim.api.nvim_win_set_cursor(0, { 3, column })
local card = ask("textDocument/hover", vim.lsp.util.make_position_params())
table.insert(results, card.contents.value)

local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
for _, action in ipairs(ask("textDocument/codeAction", params)) do
  if action.title:match("^Write") then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
end
table.insert(results, vim.fn.getline(3))

vim.api.nvim_buf_set_lines(0, -1, -1, false, { "see [@doi:" })
vim.api.nvim_win_set_cursor(0, { vim.fn.line("$"), 9 })
params = vim.lsp.util.make_position_params()
params.position.character = 10
local items = ask("textDocument/completion", params).items
vim.lsp.util.apply_text_edits({ items[1].textEdit }, 0, "utf-16")
table.insert(results, vim.fn.getline("$"))
vim.lsp.stop_client(client)
wait(function() return vim.lsp.get_client_by_id(client) == nil end)
vim.fn.writefile({ vim.json.encode(results) }, vim.env.RESULTS)
vim.cmd("qall!")
